/** 多份输入如何合成一台机器：冲突、假设、缺失。 */
export const assemble = {
  'assemble.out-of-range': '{name} 为 {value}，没有硬件如此（{least} 到 {most}）：已忽略',
  'assemble.conflict.matrix': '矩阵对 {a} 与 {b} 的说法前后矛盾',
  'assemble.conflict.letter': '{a} 与 {b}：矩阵和拓扑文件说法不一',
  'assemble.conflict.gpus': 'GPU 数量',
  'assemble.conflict.nics': '网卡数量',
  'assemble.conflict.nccl': 'NCCL 版本',
  'assemble.conflict.env': '环境变量 {name}',
  'assemble.assume.unknown': '--assume 不认识 “{name}”，可用的有 {known}',
  'assemble.assume.unknown-near': '--assume 不认识 “{name}”，是不是想写 “{near}”？可用的有 {known}',
  'assemble.assume.form': '--assume {fact}：“{value}” 的写法不对，应形如 {form}',
  'assemble.assume.no-device': '--assume：机器上没有 {name}',
  'assemble.assume.slot': '--assume：无法把 {name} 移到 {beside} 旁边',
  'assemble.assume.value': '--assume {fact}：“{value}” 既不是 on 也不是 off',
  'assemble.port-down': '未计入 {name}：其端口处于断开状态',
  'assemble.no-topology':
    '没有输入说明 GPU、网卡和 CPU 之间如何连接；可加上 nvidia-smi topo -m 或 lspci -tv 的输出，或 NCCL_TOPO_DUMP_FILE 导出的文件',
  'assemble.seen.gpus': '看到的 GPU：{list}',
  'assemble.seen.nics': '看到的网卡：{list}',
  'assemble.tree.no-gpu': 'PCIe 树中没有 GPU',
  'assemble.tree.numa':
    'PCIe 树没有说明根端口属于哪个 NUMA 节点：两个根端口之间是否跨 CPU 插槽尚不清楚；nvidia-smi topo -m 或 lspci -vv 会说明',
  'assemble.injected':
    '这是供注入的拓扑文件：GPU 按总线号编号；NVLink、计算能力和 GPUDirect RDMA 要等 NCCL 运行时才知道',
} as const;

export const topoFile = {
  'topo-file.fine': '{files} 没有问题',
  'topo-file.no-gpus': '输入里没有列出带地址的 GPU：请给出 lspci -D（或 lspci -nn）的输出',
  'topo-file.counts':
    '输入中有 {gpus} 个 GPU 和 {nics} 块网卡，而该系统有 {wantGpus} 个和 {wantNics} 块：两者不是同一种规格',
  'topo-file.worth':
    '两个节点间 1 GiB 的 all_reduce：所有设备直接挂在 CPU 下时为 {before} GB/s，使用此文件时为 {after} GB/s',
  'topo-file.no-addresses':
    '输入中没有 GPU 的总线号，而 NCCL 不接受缺少总线号的文件：请加上 lspci -nn 并用 --system 指定机器，或用 NCCL_TOPO_DUMP_FILE 导出一份',
  'topo-file.use': '用 -o 写入文件，然后在每个节点上设置 NCCL_TOPO_FILE=<文件>',
} as const;

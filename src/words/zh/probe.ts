export const probe = {
  'probe.no-inputs': 'probe 采集本机，或用 --root 指定保存下来的目录树；它不接受输入文件',
  'probe.root': '{root} 不是目录',
  'probe.wrote': '{file}：{count} 个文件',
  'probe.no-gpu': '本机没有 GPU',
  'probe.gpus': 'GPU：{count} 个',
  'probe.short': 'ACS 和 PCIe 能力寄存器需要 root 权限：用 sudo 运行即可采集',
  'probe.denied': '没有权限读取：{list}',
  'probe.absent': '没有安装：{list}',
  'probe.failed': '报错或超时：{list}',
  'probe.redacted': '主机名、用户名、地址、GUID 和序列号已被替换；发送之前请先看一遍',
  'probe.plain': '没有脱敏：其中含有本机的名称、地址和序列号',
  'probe.next': '接下来：crowfly doctor {file}',
} as const;

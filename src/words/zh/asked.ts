/** 网页与命令行都说的话：关于所问的机器、版本或拓扑。 */
export const asked = {
  'cli.refused': 'NCCL 在这份拓扑上无法启动：{reason}{where}',
  'cli.nccl': '--nccl “{text}”：应为 2.21.5 这样的版本',
  'cli.fault': 'crowfly 自身出错了。请连同下面几行（如果方便，附上输入）一起反馈。',
  'cli.system': '--system “{name}”：机型库里没有这个机型；已有的是 {known}',
} as const;

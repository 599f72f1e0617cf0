/** 命令行的帮助与用法错误。 */
export const help = {
  'cli.word.a': '文件、目录或文件包：一个节点，或改动之前',
  'cli.word.b': '另一个节点，或改动之后',
  'cli.option.help': '显示本说明',
  'cli.help.usage': '用法：',
  'cli.help.inputs':
    'INPUT 可以是存有工具输出的任何文件、目录或压缩包，也可以是 YAML 集群描述；“-” 表示标准输入。内容是什么由文件自身判断，与文件名无关。不写命令时等于 report。',
  'cli.help.machine': '这台机器',
  'cli.help.wrong': '哪里有问题，为什么',
  'cli.help.speed': '有多快，能得到什么',
  'cli.help.more': '采集、学习、查看',
  'cli.help.arguments': '参数：',
  'cli.help.options': '选项：',
  'cli.help.own': '本命令的选项：',
  'cli.help.common': '所有命令通用的选项：',
  'cli.help.examples': '示例：',
  'cli.help.verb':
    'crowfly VERB --help 说明每个命令的参数。手头没有文件？可用 --system hgx-h100；--system list 列出全部机型。',
  'cli.usage.option': 'crowfly：没有选项 {option}',
  'cli.usage.option-near': 'crowfly：没有选项 {option}，是不是想写 {near}？',
  'cli.usage.value': 'crowfly：{option} 缺少值',
  'cli.usage.other': 'crowfly：{message}',
  'cli.usage.help': '  crowfly --help 列出所有命令，crowfly VERB --help 列出其选项',
} as const;

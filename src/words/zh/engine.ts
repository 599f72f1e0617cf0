/** 为什么调度无法运行，以及跟踪里省略了什么。 */
export const engine = {
  'engine.fault.number': '{where}：{what} 为 {value}，应为不小于 {least} 的有限数',
  'engine.fault.whole': '{where}：{what} 为 {value}，应为不小于 {least} 的整数',
  'engine.fault.unknown': '{where}：不存在编号为 {value} 的 {what}',
  'engine.fault.circle': '{where}：经过 {count} 个操作又在等待自己',
  'engine.trace.cut': '只显示前 {kept} 段，另有 {left} 段已省略',
} as const;

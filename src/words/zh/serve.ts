/** 网页服务。 */
export const serve = {
  'serve.not-built': '网页尚未构建：运行 npm run build 即可',
  'serve.on': '网页只在本机可见；按 Ctrl-C 结束。',
  'serve.port': '--port {text}：端口应为 0 到 65535 的整数',
  'serve.port-taken': '端口 {port} 已被占用；不写 --port 时会自动选用空闲端口',
} as const;

/** The page's server. */
export const serve = {
  'serve.not-built': 'the page is not built: npm run build makes it',
  'serve.on': 'The page is on this machine only; Ctrl-C ends it.',
  'serve.port': '--port {text}: a port is a whole number from 0 to 65535',
  'serve.port-taken': 'port {port} is taken; without --port a free one is found',
} as const;

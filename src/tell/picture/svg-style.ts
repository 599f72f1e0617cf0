/**
 * Colours from the Okabe-Ito palette, which people with any common colour blindness can tell apart, thinned to quiet
 * fills; nothing is told by colour alone. Dark follows the reader's system.
 */
export const svgStyle = [
  '.crowfly-picture{font-family:system-ui,-apple-system,"Segoe UI","Noto Sans","Noto Sans CJK SC","PingFang SC","Microsoft YaHei",sans-serif;font-size:13px}',
  '.paper{fill:#fff}',
  'text{fill:#222}.title{font-size:15px;font-weight:600}.legend,.detail{fill:#5c5f66}.detail{font-size:11px}',
  '.label{font-weight:600}.boxtext,.hosttext{fill:#44474d;font-weight:600}.linktext,.bandtext{fill:#6d4480}.count{fill:#222;font-size:12px}',
  '.host{fill:#fbfbfc;stroke:#c9ccd2}.cpu{fill:#f5f6f8;stroke:#b9bdc6}.switch,.bridge{fill:#fff;stroke:#9da2ad}.bridge{stroke-dasharray:4 3}',
  '.gpu{fill:#e2f3ec;stroke:#009e73}.nic{fill:#e3eff8;stroke:#0072b2}.nvme{fill:#fbf0da;stroke:#b37700}.nvswitch,.band{fill:#f1e8f5;stroke:#8e5ea2}',
  '.stripe,.links{fill:#8e5ea2}.cell{fill:#eef0f3}.cell.self{fill:#d8dbe1}',
  'rect.bad{stroke:#d55e00;stroke-width:2.5}rect.look{stroke:#b37700;stroke-width:2}rect.unknown{stroke-dasharray:3 3}',
  '.sign{font-weight:700}.sign.bad{fill:#c24f00}.sign.look{fill:#8a5a00}.sign.unknown{fill:#5c5f66}',
  '@media(prefers-color-scheme:dark){',
  '.paper{fill:#17191d}text{fill:#e8e9ec}.legend,.detail{fill:#a3a8b3}.boxtext,.hosttext{fill:#c9cdd6}.linktext,.bandtext{fill:#d3b3e0}.count{fill:#fff}',
  '.host{fill:#1b1d22;stroke:#3b3f48}.cpu{fill:#202329;stroke:#4a4f5a}.switch,.bridge{fill:#17191d;stroke:#656b78}',
  '.gpu{fill:#12352a;stroke:#2cc197}.nic{fill:#10293b;stroke:#56b4e9}.nvme{fill:#3a2c0d;stroke:#e69f00}.nvswitch,.band{fill:#2d2034;stroke:#b48ac6}',
  '.stripe,.links{fill:#b48ac6}.cell{fill:#262930}.cell.self{fill:#343842}',
  'rect.bad{stroke:#ff8a3d}rect.look{stroke:#e69f00}.sign.bad{fill:#ff8a3d}.sign.look{fill:#e6b450}.sign.unknown{fill:#a3a8b3}',
  '}',
].join('');

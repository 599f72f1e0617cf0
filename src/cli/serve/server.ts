import { createReadStream, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { Source } from '../../input/source.ts';
import type { PageFile } from './folder.ts';

/** The page may load its own files and nothing else; where inputs were named on the command line it fetches those. */
const policy = (connect: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "worker-src 'self'",
    `connect-src ${connect}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** A server of the page on this machine, for this machine. The caller binds it to the loopback address. */
export function pageServer(files: ReadonlyMap<string, PageFile>, inputs: readonly Source[]): Server {
  const connect = inputs.length > 0 ? "'self'" : "'none'";
  const headers = {
    'Content-Security-Policy': policy(connect),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
  };
  const index = files.get('/index.html');
  const first = index === undefined ? '' : pageWith(readFileSync(index.path, 'utf8'), inputs, connect);

  const refuse = (response: ServerResponse, status: number, why: string): void => {
    response.writeHead(status, { ...headers, 'Content-Type': 'text/plain; charset=utf-8' });
    response.end(`${why}\n`);
  };
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const body = request.method === 'GET';
    // Another site's name may point here (DNS rebinding): only this machine's own names are answered.
    if (!ownName(request)) refuse(response, 403, 'crowfly answers to 127.0.0.1 and localhost only');
    else if (!body && request.method !== 'HEAD') refuse(response, 405, 'GET only');
    else {
      const address = (request.url ?? '/').split(/[?#]/)[0]!;
      const input = /^\/inputs\/(\d{1,5})$/.exec(address);
      const source = input ? inputs[Number(input[1])] : undefined;
      const file = files.get(address);
      if (address === '/' || address === '/index.html') {
        response.writeHead(200, {
          ...headers,
          'Content-Type': 'text/html; charset=utf-8',
          'Cache-Control': 'no-store',
        });
        response.end(body ? first : undefined);
      } else if (!source && !file) refuse(response, 404, 'not here');
      else {
        response.writeHead(200, {
          ...headers,
          'Content-Type': source ? 'application/octet-stream' : file!.type,
          // Names of built files change with what is in them; inputs are read anew each time.
          'Cache-Control': source ? 'no-store' : 'max-age=31536000, immutable',
        });
        if (body) send(source ? Readable.from(source.stream()) : createReadStream(file!.path), response);
        else response.end();
      }
    }
  };
  return createServer({ maxHeaderSize: 16_384 }, answer);
}

function send(from: Readable, response: ServerResponse): void {
  from.on('error', () => response.destroy());
  response.on('close', () => from.destroy());
  from.pipe(response);
}

function ownName(request: IncomingMessage): boolean {
  const port = request.socket.localPort;
  const host = (request.headers.host ?? '').toLowerCase();
  return ['127.0.0.1', 'localhost', '[::1]'].some(
    (name) => host === `${name}:${port}` || (port === 80 && host === name),
  );
}

/** The first file with the names of the inputs in it, and leave to fetch them. */
function pageWith(html: string, inputs: readonly Source[], connect: string): string {
  const allowed = html.replace("connect-src 'none'", `connect-src ${connect}`);
  if (inputs.length === 0) return allowed;
  const names = JSON.stringify(inputs.map((s) => s.name)).replace(/[<>&"']/g, (c) => `&#${c.charCodeAt(0)};`);
  return allowed.replace('</head>', `<meta name="crowfly-inputs" content="${names}"></head>`);
}

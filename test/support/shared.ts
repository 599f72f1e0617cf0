import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The scoring data, which a newcomer does not have: tests that need it are skipped and say so. */
const folder = process.env['CROWFLY_SHARED'] ?? resolve('..', 'shared');
export const shared = existsSync(join(folder, 'data')) ? folder : undefined;
export const whyNot = 'no scoring data at ../shared or $CROWFLY_SHARED';

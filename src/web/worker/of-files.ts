/** What makes a machine of files: readers, and what joins what they gave. Half of the code; a system of the catalogue needs none of it. */
export { assemble } from '../../assemble/assemble.ts';
export { usualMachine } from '../../assemble/usual-machine.ts';
export { KeptLines } from '../../read/kept-lines.ts';
export { readSource } from '../../read/read-source.ts';

/** To be filled by the reader. */
export interface NcclTests {
  readonly kind: 'nccl-tests';
  readonly file: string;
}

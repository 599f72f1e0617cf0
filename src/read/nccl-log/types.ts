/** To be filled by the reader. */
export interface NcclLog {
  readonly kind: 'nccl-log';
  readonly file: string;
}

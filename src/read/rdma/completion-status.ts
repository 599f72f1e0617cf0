/** How verbs call the end of a transfer (rdma-core, `ibv_wc_status_str`), by number; those that a job meets. */
const names: Readonly<Record<number, string>> = {
  1: 'local length error',
  2: 'local QP operation error',
  4: 'local protection error',
  5: 'Work Request Flushed Error',
  7: 'bad response error',
  8: 'local access error',
  9: 'remote invalid request error',
  10: 'remote access error',
  11: 'remote operation error',
  12: 'transport retry counter exceeded',
  13: 'RNR retry counter exceeded',
};

/** What a ConnectX card writes into the entry of a completion queue, and the status that libmlx5 and the kernel make of it. */
const syndromes: Readonly<Record<number, number>> = {
  1: 1,
  2: 2,
  4: 4,
  5: 5,
  16: 7,
  17: 8,
  18: 9,
  19: 10,
  20: 11,
  21: 12,
  22: 13,
};

/** Undefined: another syndrome, or no error at all. */
export const statusOfSyndrome = (syndrome: number): number | undefined => syndromes[syndrome];

export const nameOfStatus = (status: number): string | undefined => names[status];

/** By the name that programs print; undefined where it is another's. */
export const statusNamed = (name: string): number | undefined => {
  const found = Object.entries(names).find(([, n]) => n.toLowerCase() === name.toLowerCase());
  return found && Number(found[0]);
};

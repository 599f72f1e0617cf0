/**
 * NVLinks of the DGX-1V hybrid cube mesh: row i, column j = links between GPU i and GPU j. Six links a GPU: every quad is
 * fully joined, with double links on the diagonal pairs, and a link or two to its counterpart in the other quad.
 * Source: NVIDIA DGX-1 with Tesla V100 System Architecture, p. 10; NCCL dumps of DGX-1V and Azure ND v2 agree.
 */
export const hybridCubeMesh: readonly (readonly number[])[] = [
  [0, 1, 1, 2, 2, 0, 0, 0],
  [1, 0, 2, 1, 0, 2, 0, 0],
  [1, 2, 0, 2, 0, 0, 1, 0],
  [2, 1, 2, 0, 0, 0, 0, 1],
  [2, 0, 0, 0, 0, 1, 1, 2],
  [0, 2, 0, 0, 1, 0, 2, 1],
  [0, 0, 1, 0, 1, 2, 0, 2],
  [0, 0, 0, 1, 2, 1, 2, 0],
];

/** The most NVLinks any of the first `gpus` GPUs of the mesh needs for the others of them. */
export const meshLinks = (gpus: number): number =>
  Math.max(0, ...hybridCubeMesh.slice(0, gpus).map((row) => row.slice(0, gpus).reduce((sum, n) => sum + n, 0)));

export const machine = {} as const;

export const answer = {} as const;

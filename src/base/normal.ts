/**
 * The largest of so many draws from a standard normal distribution, on average: the quantile that Blom's plotting
 * position gives (Statistical Estimates and Transformed Beta-Variables, 1958), within 0.02 of the integral.
 */
export function expectedMaximum(draws: number): number {
  return draws <= 1 ? 0 : -quantile(0.625 / (draws + 0.25));
}

/** Standard normal quantile of a share of at most one half: Abramowitz and Stegun, formula 26.2.23. */
function quantile(share: number): number {
  const t = Math.sqrt(-2 * Math.log(share));
  const over = 2.515517 + t * (0.802853 + t * 0.010328);
  const under = 1 + t * (1.432788 + t * (0.189269 + t * 0.001308));
  return over / under - t;
}

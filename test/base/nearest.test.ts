import { expect, it } from 'vitest';
import { nearest } from '../../src/base/nearest.ts';
import { nearestSystem } from '../../src/catalogue/systems.ts';

it('takes no word for a short one that shares nothing with it', () => {
  expect(nearest('xx', ['p5', 'gpu'])).toBeUndefined();
  expect(nearestSystem('xx')).toBeUndefined();
  expect(nearest('p4', ['p5', 'dgx'])).toBe('p5');
  expect(nearestSystem('dgx-h10')).toMatch(/h100$/);
  expect(nearest('NCCL_DEBGU', ['NCCL_DEBUG', 'NCCL_NET'])).toBe('NCCL_DEBUG');
});

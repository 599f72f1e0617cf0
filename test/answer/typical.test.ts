import { expect, it } from 'vitest';
import { typicalMachine } from '../../src/answer/typical.ts';
import { demonstrate, lessons } from '../../src/workload/learn.ts';

it.each(lessons)('$topic can be shown without a machine of one’s own', async (lesson) => {
  const shown = demonstrate(await typicalMachine(lesson), {}, lesson.topic);
  expect(shown.ok && shown.value.model.path).toBe(lesson.path);
});

import { describe, expect, it } from 'vitest';
import { findingAbout } from '../../src/answer/finding-about.ts';
import { about, findingIds } from '../../src/doctor/ids.ts';
import { render } from '../../src/words/render.ts';

describe.each(['en', 'zh-CN'] as const)('explain, in %s', (language) => {
  it.each(findingIds)('%s says what it does, how it is known and what to do', (id) => {
    const told = findingAbout(id)!;
    expect(render(told.title, language)).toMatch(language === 'en' ? /[a-z]{3}/ : /[\u4e00-\u9fff]/);
    const parts = told.parts.map((p) => render(p.text, language));
    expect(parts).toHaveLength(3);
    for (const text of parts) {
      // Whole sentences, with nothing left to fill in.
      expect(text).toMatch(language === 'en' ? /^[A-Z/].*\.$|^[a-z]\w*.*\.$/s : /。$/);
      expect(text).not.toMatch(/[{}]|undefined/);
    }
    expect(about[id].docs).toMatch(/^https:\/\//);
  });
});

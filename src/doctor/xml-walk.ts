import type { XmlElement } from '../read/xml.ts';

/** All elements of a tree in the order of the text, without recursion. */
export function elementsOf(root: XmlElement): XmlElement[] {
  const all: XmlElement[] = [];
  const stack = [root];
  while (stack.length > 0) {
    const element = stack.pop()!;
    all.push(element);
    for (let i = element.children.length - 1; i >= 0; i--) stack.push(element.children[i]!);
  }
  return all;
}

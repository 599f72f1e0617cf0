/** An XML element as read: attributes in a Map (a hostile name such as `__proto__` is only a key), and where it stood. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Map<string, string>;
  readonly children: XmlElement[];
  readonly line: number;
  /** Text between its tags, when there is a short one. */
  text?: string;
}

/** The element's attribute as a finite number, or undefined when it is missing, empty or not a number. */
export function numberAttribute(element: XmlElement, name: string): number | undefined {
  const text = element.attributes.get(name);
  if (text === undefined || text.trim() === '') return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

/** An XML element as read: attributes in a Map (a hostile name such as `__proto__` is only a key), and where it stood. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Map<string, string>;
  readonly children: XmlElement[];
  readonly line: number;
}

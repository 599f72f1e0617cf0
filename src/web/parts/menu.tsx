import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** A box that opens below its name; Escape and a click elsewhere close it. */
export function Menu({ name, wide = false, children }: { name: string; wide?: boolean; children: ComponentChildren }) {
  const box = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const elsewhere = (e: PointerEvent): void => {
      const menu = box.current;
      if (menu?.open && e.target instanceof Node && !menu.contains(e.target)) menu.open = false;
    };
    const byKey = (e: KeyboardEvent): void => {
      const menu = box.current;
      if (e.key !== 'Escape' || !menu?.open) return;
      const inside = menu.contains(document.activeElement);
      menu.open = false;
      if (inside) menu.querySelector('summary')?.focus();
    };
    document.addEventListener('pointerdown', elsewhere);
    document.addEventListener('keydown', byKey);
    return () => {
      document.removeEventListener('pointerdown', elsewhere);
      document.removeEventListener('keydown', byKey);
    };
  }, []);
  return (
    <details class="menu" ref={box}>
      <summary>{name}</summary>
      <div class={wide ? 'menubox wide' : 'menubox'}>{children}</div>
    </details>
  );
}

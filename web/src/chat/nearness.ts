import { type RefObject, startTransition, useEffect, useState } from 'react';

export interface Nearness {
  isNear: boolean;
  /** Pixels, as it was drawn last; null: it has not been drawn yet. */
  height: number | null;
}

interface NearnessOptions {
  /** How far above and below what is in sight is near, as CSS has it: so much is drawn before it is scrolled to. */
  margin: string;
  /** How high things were when they were drawn last, kept while they are not. */
  heights: WeakMap<object, number>;
  /** What it is in `heights`. */
  thing: object;
}

/** Whether an element of a scrolled list is in sight or will soon be, or is in use. */
export function useNearness(
  ref: RefObject<HTMLElement | null>,
  isNearAtFirst: boolean,
  { margin, heights, thing }: NearnessOptions,
): Nearness {
  const [isNear, setIsNear] = useState(isNearAtFirst);
  useEffect(() => {
    const element = ref.current;
    if (!element) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        const entry = entries.at(-1);
        if (!entry) return;
        // What leaves is as it was drawn.
        if (isNear && !entry.isIntersecting) heights.set(thing, entry.boundingClientRect.height);
        // Drawn between other things: messages may take longer than a frame.
        startTransition(() => setIsNear(entry.isIntersecting || isInUse(element)));
      },
      { root: element.closest('.scroller'), rootMargin: `${margin} 0px` },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref, isNear, margin, heights, thing]);
  return { isNear, height: heights.get(thing) ?? null };
}

/** Somebody is in there, has opened something there, or has selected text of it. */
function isInUse(element: HTMLElement): boolean {
  return (
    element.matches(':focus-within') ||
    element.querySelector('form, details[open], [aria-busy="true"]') !== null ||
    (getSelection()?.isCollapsed === false && getSelection()?.containsNode(element, true) === true)
  );
}

import { type RefObject, useEffect, useRef } from 'react';

const NEAR_PX = 80;

interface Scrolling {
  ref: RefObject<HTMLDivElement | null>;
  onScroll: () => void;
  toEnd: () => void;
}

/** Keeps the end in sight as it grows, unless the reader has gone up. Near the beginning it asks for what is before. */
export function useScrolling(showEarlier: (() => void) | null): Scrolling {
  const ref = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const toEnd = (): void => {
    isAtEnd.current = true;
    ref.current?.scrollTo({ top: ref.current.scrollHeight });
  };
  useEffect(() => {
    const [scroller, content] = [ref.current, ref.current?.firstElementChild];
    if (!scroller || !content) return undefined;
    const observer = new ResizeObserver(() => {
      if (isAtEnd.current) scroller.scrollTo({ top: scroller.scrollHeight });
    });
    observer.observe(content);
    return () => observer.disconnect();
  }, []);
  const onScroll = (): void => {
    const scroller = ref.current;
    if (!scroller) return;
    isAtEnd.current = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < NEAR_PX;
    if (scroller.scrollTop > NEAR_PX || !showEarlier) return;
    // Browsers keep in its place what is in sight, except at the very top.
    if (scroller.scrollTop === 0) scroller.scrollTop = 1;
    showEarlier();
  };
  return { ref, onScroll, toEnd };
}

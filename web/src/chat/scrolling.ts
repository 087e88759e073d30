import { type RefObject, useEffect, useRef } from 'react';

const NEAR_PX = 80;

interface Scrolling {
  ref: RefObject<HTMLDivElement | null>;
  onScroll: () => void;
  toEnd: () => void;
}

/** Keeps the end in sight as it grows, unless the reader has gone up. */
export function useScrolling(): Scrolling {
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
  };
  return { ref, onScroll, toEnd };
}

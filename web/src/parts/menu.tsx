import { type ReactNode, useId, useRef } from 'react';

interface MenuProps {
  /** What opens it, for people who do not see the icon; left out: its face says it. */
  label?: string;
  face: ReactNode;
  className?: string;
  children: ReactNode;
}

const MARGIN_PX = 8;

/** A button with a popover below or above it. A choice closes it. */
export function Menu({ label, face, className = 'icon-button', children }: MenuProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  return (
    <>
      <button ref={button} type="button" className={className} aria-label={label} popoverTarget={id}>
        {face}
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        className="menu"
        onToggle={(event) => {
          if (event.newState !== 'open' || !button.current || !menu.current) return;
          place(menu.current, button.current.getBoundingClientRect());
          menu.current.querySelector<HTMLElement>('button, a, select')?.focus();
        }}
        onClick={(event) => {
          if (event.target instanceof Element && event.target.closest('button, a'))
            menu.current?.hidePopover();
        }}
      >
        {children}
      </div>
    </>
  );
}

function place(menu: HTMLElement, { left, right, top, bottom }: DOMRect): void {
  const { width, height } = menu.getBoundingClientRect();
  const fitsBelow = bottom + height + MARGIN_PX < innerHeight;
  const start = left + width + MARGIN_PX < innerWidth ? left : right - width;
  menu.style.left = `${Math.max(MARGIN_PX, start)}px`;
  menu.style.top = `${Math.max(MARGIN_PX, fitsBelow ? bottom + 4 : top - height - 4)}px`;
}

import { type ReactNode, useEffect } from 'react';

interface PageProps {
  title: string;
  /** One sentence: what can be done here. */
  lead?: string;
  actions?: ReactNode;
  /** For texts, and not for tables. */
  isNarrow?: boolean;
  children: ReactNode;
}

/** A screen with a heading. The tab is called as it is. */
export function Page({ title, lead, actions, isNarrow = false, children }: PageProps) {
  useTitle(title);
  return (
    <div className={isNarrow ? 'page narrow' : 'page'}>
      <header className="page-head">
        <div>
          <h1>{title}</h1>
          {lead !== undefined && <p className="soft">{lead}</p>}
        </div>
        {actions !== undefined && <div className="actions">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Palabre`;
  }, [title]);
}

import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { type TextKey, t } from '../i18n/catalogue.js';
import { Icon } from '../parts/icons.js';

/** What the screen consists of, in its order: the name of each in the address, and its heading. */
const parts = {
  profile: 'company.profile',
  members: 'company.members',
  'api-keys': 'keys.title',
  webhooks: 'webhooks.title',
  providers: 'providers.title',
  audit: 'audit.title',
} as const satisfies Record<string, TextKey>;

/** Leads to each part: some are far below the end of the window. */
export function CompanyParts() {
  return (
    <nav className="company-parts" aria-label={t('company.parts')}>
      {Object.entries(parts).map(([name, title]) => (
        <Link key={name} to="/company" hash={name} className="chip">
          {t(title)}
        </Link>
      ))}
    </nav>
  );
}

interface CompanyPartProps {
  name: keyof typeof parts;
  /** What can be added. */
  add?: { text: string; onClick: () => void };
  children: ReactNode;
}

export function CompanyPart({ name, add, children }: CompanyPartProps) {
  const title = t(parts[name]);
  return (
    <section id={name} className="company-part" aria-label={title}>
      <header className="page-head">
        <h2>{title}</h2>
        {add && (
          <button type="button" className="button" onClick={add.onClick}>
            <Icon name="add" />
            {add.text}
          </button>
        )}
      </header>
      {children}
    </section>
  );
}

import type { ReactNode } from 'react';
import type { CombinedError } from '@urql/core';

import { explain } from '../api/failure.js';
import { t } from '../i18n/catalogue.js';
import { Icon, type IconName } from './icons.js';

/** Stands for content that is on its way. */
export function Loading({ lines = 3 }: { lines?: number }) {
  return (
    <div className="loading" role="status">
      <span className="unseen">{t('state.loading')}</span>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} aria-hidden="true" />
      ))}
    </div>
  );
}

/** Says what is missing, and what a person can do. */
export function Nothing({ icon, title, children }: { icon: IconName; title: string; children?: ReactNode }) {
  return (
    <div className="nothing">
      <Icon name={icon} />
      <h2>{title}</h2>
      {children !== undefined && <div className="soft">{children}</div>}
    </div>
  );
}

interface FailureProps {
  error: CombinedError;
  /** Tries once more. */
  again?: () => void;
}

/** Says what went wrong, and offers to try again where that may help. */
export function Failure({ error, again }: FailureProps) {
  return <FailureText text={explain(error)} {...(again && { again })} />;
}

export function FailureText({ text, again }: { text: string; again?: () => void }) {
  return (
    <div className="notice bad" role="alert">
      <Icon name="alert" />
      <span className="text">{text}</span>
      {again && (
        <button type="button" className="button" onClick={again}>
          {t('action.retry')}
        </button>
      )}
    </div>
  );
}

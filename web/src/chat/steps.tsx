import type { TurnStep } from '@palabre/client';

import { t } from '../i18n/catalogue.js';
import { durationOf } from '../i18n/dates.js';
import { Icon } from '../parts/icons.js';
import { shownJson } from '@palabre/text/browser.js';
import { useSkillNames } from './skill-names.js';

export type Step = TurnStep;
type SkillStep = Extract<Step, { kind: 'skill' }>;

/** What was done on the way to an answer, folded: what for, with what, what came of it, and how long it took. */
export function Steps({ steps, isLive = false }: { steps: readonly Step[]; isLive?: boolean }) {
  const nameOf = useSkillNames();
  if (steps.length === 0) return null;
  return (
    <details className="steps">
      <summary>
        <Icon name="next" />
        <span className="cut">{summaryOf(steps, isLive, nameOf)}</span>
      </summary>
      <ol className="plain">
        {steps.map((step, index) => (
          <li key={step.kind === 'skill' ? step.callId : index}>
            {step.kind === 'skill' ? (
              <SkillCall step={step} name={nameOf(step.skill)} />
            ) : (
              <Remark step={step} nameOf={nameOf} />
            )}
          </li>
        ))}
      </ol>
    </details>
  );
}

type NameOf = (skill: string) => string;

function summaryOf(steps: readonly Step[], isLive: boolean, nameOf: NameOf): string {
  const running = steps.findLast((step) => step.kind === 'skill' && step.status === 'RUNNING');
  if (isLive && running?.kind === 'skill') return t('steps.running', { skill: nameOf(running.skill) });
  const took = steps.reduce((sum, step) => sum + ((step.kind === 'skill' && step.durationMs) || 0), 0);
  const count = t('steps.count', { count: steps.length });
  return took === 0 ? count : `${count} · ${durationOf(took)}`;
}

function SkillCall({ step, name }: { step: SkillStep; name: string }) {
  const { status, durationMs, resultPreview } = step;
  return (
    <>
      <p className="step-head">
        <strong>{name}</strong>
        <span className={`tag ${toneOf(status)}`}>{t(`steps.${status}`)}</span>
        {durationMs !== null && <span className="soft small">{durationOf(durationMs)}</span>}
      </p>
      {hasArguments(step.arguments) && (
        <pre className="data" aria-label={t('steps.arguments')}>
          {shownJson(step.arguments)}
        </pre>
      )}
      {resultPreview !== null && resultPreview !== '' && <p className="result">{resultPreview}</p>}
    </>
  );
}

function Remark({ step, nameOf }: { step: Exclude<Step, SkillStep>; nameOf: NameOf }) {
  switch (step.kind) {
    case 'plan':
      return (
        <p>
          <strong>
            {t(`steps.plan.${step.action}`, { skill: step.skill === null ? '' : nameOf(step.skill) })}
          </strong>{' '}
          <span className="soft">{step.reason}</span>
        </p>
      );
    case 'loaded':
      return <p>{t('steps.loaded', { skill: nameOf(step.skill) })}</p>;
    case 'preamble':
      return <p className="soft">{step.text}</p>;
    case 'background':
      return <p>{step.message}</p>;
  }
}

function toneOf(status: SkillStep['status']): string {
  if (status === 'SUCCEEDED') return 'good';
  return status === 'RUNNING' ? 'accent' : 'bad';
}

function hasArguments(given: unknown): boolean {
  return typeof given === 'object' && given !== null && Object.keys(given).length > 0;
}

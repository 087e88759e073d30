import type { ReactNode } from 'react';

import { useSkillNames } from '../chat/skill-names.js';
import { t } from '../i18n/catalogue.js';
import { durationOf } from '../i18n/dates.js';
import { dollarsOf, roughly } from '../i18n/numbers.js';
import { spansOf, type TurnSpan } from './turn-spans.js';
import type { TurnDetails } from './turns-operations.js';

const WIDTH = 1000;
/** What takes no time is seen too. */
const LEAST_WIDTH = 4;

/** Where the time of a turn went. The bars are drawn; all that they say stands in the table too. */
export function Waterfall({ turn }: { turn: TurnDetails }) {
  const spans = spansOf(turn);
  const end = Math.max(1, ...spans.map(({ startMs, durationMs }) => startMs + durationMs));
  return (
    <section className="waterfall" aria-label={t('turns.waterfall')}>
      <h3>{t('turns.waterfall')}</h3>
      <ol className="plain" aria-hidden="true">
        {spans.map((span) => (
          <li key={span.id}>
            <span className="waterfall-name">{nameOf(span)}</span>
            <Bar span={span} end={end} />
            <span className="soft small">{figuresOf(span)}</span>
          </li>
        ))}
      </ol>
      <details>
        <summary>{t('turns.table')}</summary>
        <SpanTable spans={spans} />
      </details>
    </section>
  );
}

function Bar({ span, end }: { span: TurnSpan; end: number }) {
  const { startMs, durationMs, call } = span;
  const width = Math.max(LEAST_WIDTH, (durationMs / end) * WIDTH);
  const x = Math.min((startMs / end) * WIDTH, WIDTH - width);
  return (
    <svg viewBox={`0 0 ${WIDTH} 10`} preserveAspectRatio="none">
      <rect className={isFailed(span) ? 'bad' : call.kind} x={x} width={width} height="10" />
    </svg>
  );
}

/** A model call has a code of the API as its outcome then, and a word of the provider else. */
function isFailed({ call }: TurnSpan): boolean {
  if (call.kind === 'model') return /^[A-Z_]+$/.test(call.of.outcome);
  return call.kind === 'skill' && ['FAILED', 'DENIED', 'UNKNOWN'].includes(call.of.status);
}

function nameOf({ call }: TurnSpan): ReactNode {
  switch (call.kind) {
    case 'queue':
      return t('turns.queue');
    case 'model':
      return t('turns.modelCall', { purpose: t(`turns.purpose.${call.of.purpose}`), model: call.of.model });
    case 'skill':
      return <SkillName skill={call.of.skill} />;
  }
}

export function SkillName({ skill }: { skill: string }) {
  return useSkillNames()(skill);
}

function figuresOf(span: TurnSpan): string {
  const { durationMs, call } = span;
  const figures = [...(isFailed(span) ? [outcomeOf(span)] : []), durationOf(durationMs)];
  if (call.kind === 'model') {
    const { inputTokens, outputTokens, costUsd } = call.of;
    figures.push(t('turns.tokens', { read: roughly(inputTokens), written: roughly(outputTokens) }));
    if (costUsd !== null) figures.push(dollarsOf(costUsd));
  }
  return figures.join(' · ');
}

function outcomeOf({ call }: TurnSpan): string {
  if (call.kind === 'model') return call.of.outcome;
  return call.kind === 'skill' ? t(`steps.${call.of.status}`) : '–';
}

function SpanTable({ spans }: { spans: readonly TurnSpan[] }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- Who has no mouse scrolls it by arrow keys.
    <div className="turn-table" role="region" aria-label={t('turns.table')} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('turns.call')}</th>
            <th scope="col">{t('turns.outcome')}</th>
            <th scope="col">{t('turns.start')}</th>
            <th scope="col">{t('turns.duration')}</th>
            <th scope="col">{t('usage.inputTokens')}</th>
            <th scope="col">{t('usage.outputTokens')}</th>
            <th scope="col">{t('usage.cost')}</th>
          </tr>
        </thead>
        <tbody>
          {spans.map((span) => (
            <SpanRow key={span.id} span={span} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function SpanRow({ span }: { span: TurnSpan }) {
  const model = span.call.kind === 'model' ? span.call.of : null;
  return (
    <tr>
      <th scope="row">{nameOf(span)}</th>
      <td>{outcomeOf(span)}</td>
      <td>{durationOf(span.startMs)}</td>
      <td>{durationOf(span.durationMs)}</td>
      <td>{model ? roughly(model.inputTokens) : '–'}</td>
      <td>{model ? roughly(model.outputTokens) : '–'}</td>
      <td>{model && model.costUsd !== null ? dollarsOf(model.costUsd) : '–'}</td>
    </tr>
  );
}

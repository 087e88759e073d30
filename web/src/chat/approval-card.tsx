import { useState } from 'react';
import { useQuery } from 'urql';

import { language, t } from '../i18n/catalogue.js';
import { momentOf } from '../i18n/dates.js';
import { Icon } from '../parts/icons.js';
import { shownJson } from '@palabre/text/browser.js';
import { FailureText } from '../parts/states.js';
import { useAnswering } from './answering.js';
import { skillNamesQuery } from './conversation-operations.js';

export interface WaitingApproval {
  id: string;
  skill: string;
  arguments: unknown;
  reason: string | null;
  expiresAt: string;
  askedByName?: string | null;
  askedIn?: string | null;
}

interface ApprovalCardProps {
  approval: WaitingApproval;
  /** Given where it stands apart from its conversation. */
  onAnswered?: () => void;
}

/** Whether a skill may be carried out: yes, no, or with other arguments. */
export function ApprovalCard({ approval, onAnswered }: ApprovalCardProps) {
  const [{ data }] = useQuery({ query: skillNamesQuery, variables: { language: language() } });
  const [given, setGiven] = useState(() => shownJson(approval.arguments));
  const [comment, setComment] = useState('');
  const { answer, isBusy, problem, setProblem } = useAnswering(onAnswered);
  const skill = data?.skills.find(({ key }) => key === approval.skill)?.name ?? approval.skill;

  async function decide(approve: boolean): Promise<void> {
    const changed = approve ? changedArguments(given, approval.arguments) : undefined;
    if (changed === null) return setProblem(t('approval.notJson'));
    await answer({
      approval: {
        approvalId: approval.id,
        approve,
        ...(changed !== undefined && { arguments: changed }),
        ...(comment.trim() !== '' && { comment }),
      },
    });
  }

  return (
    <section className="approval" aria-label={t('approval.title', { skill })}>
      <p className="input-title">
        <Icon name="alert" />
        {t('approval.title', { skill })}
      </p>
      {onAnswered && approval.askedByName != null && (
        <p className="soft asked">
          {t('input.askedBy', { name: approval.askedByName, question: approval.askedIn ?? '' })}
        </p>
      )}
      {approval.reason !== null && <p>{approval.reason}</p>}
      <label className="field">
        <span>{t('approval.arguments')}</span>
        <textarea
          className="code"
          rows={Math.min(10, given.split('\n').length)}
          spellCheck={false}
          value={given}
          onChange={(event) => setGiven(event.target.value)}
        />
      </label>
      <label className="field">
        <span>{t('approval.comment')}</span>
        <input maxLength={1000} value={comment} onChange={(event) => setComment(event.target.value)} />
      </label>
      {problem !== null && <FailureText text={problem} />}
      <div className="actions">
        <span className="soft small">{t('approval.expires', { moment: momentOf(approval.expiresAt) })}</span>
        <button type="button" className="button" disabled={isBusy} onClick={() => void decide(false)}>
          {t('approval.deny')}
        </button>
        <button type="button" className="button main" disabled={isBusy} onClick={() => void decide(true)}>
          {t('approval.allow')}
        </button>
      </div>
    </section>
  );
}

/** Undefined: they are as they were. Null: they are no JSON. */
function changedArguments(text: string, before: unknown): unknown {
  try {
    const changed: unknown = JSON.parse(text);
    return JSON.stringify(changed) === JSON.stringify(before) ? undefined : changed;
  } catch {
    return null;
  }
}

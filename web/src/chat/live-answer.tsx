import type { TurnState } from '@palabre/client';
import { useEffect } from 'react';

import { t } from '../i18n/catalogue.js';
import { announce } from '../parts/announcer.js';
import { Icon } from '../parts/icons.js';
import { Markdown } from './markdown/markdown.js';
import { PendingInputs } from './pending-inputs.js';
import { Reasoning } from './reasoning.js';
import { useSentences } from './sentences.js';
import { SourceChips } from './source-chips.js';
import { Steps } from './steps.js';
import { useThreadActions } from './thread-actions.js';
import { useTurn } from './turn-following.js';

/** An answer under way, until the stored one takes its place. */
export function LiveAnswer({ turnId, assistantName }: { turnId: string; assistantName: string }) {
  const { openSources, refresh } = useThreadActions();
  const turn = useTurn(turnId);
  const { text, steps, sources, end } = turn;
  useSentences(text, end !== null);
  useEffect(() => {
    if (!end) return;
    if (end.error) announce(end.error.message);
    refresh();
  }, [end, refresh]);
  return (
    <article
      className="answer live"
      aria-label={t('chat.answerOf', { name: assistantName })}
      aria-busy={end === null}
    >
      <Reasoning text={turn.reasoning} />
      <Steps steps={steps} isLive={end === null} />
      <Markdown
        text={text}
        isGrowing
        markers={sources.map(({ marker }) => marker)}
        // Nobody has said yet which they are.
        trusted={[]}
        onMarker={(marker, sentence) => openSources({ sources, marker, sentence })}
      />
      <PendingInputs inputs={turn.inputs} />
      <SourceChips sources={sources} />
      {end === null && <Progress turn={turn} />}
    </article>
  );
}

function Progress({ turn }: { turn: TurnState }) {
  const said = progressOf(turn);
  if (turn.status === 'IN_BACKGROUND') {
    return (
      <p className="notice">
        <Icon name="clock" />
        <span className="text">{t('chat.inBackground')}</span>
      </p>
    );
  }
  return (
    <p className="progress soft small">
      <span className="pulse" aria-hidden="true" />
      {said}
    </p>
  );
}

function progressOf({ sequence, status, detail, text }: TurnState): string {
  if (detail !== null && detail !== '' && detail !== 'RETRYING') return detail;
  if (detail === 'RETRYING') return t('chat.retrying');
  if (status === 'QUEUED' && sequence > 0) return t('chat.queued');
  if (status === 'WAITING_FOR_APPROVAL' || status === 'WAITING_FOR_INPUT') return t('chat.waitsForPerson');
  return text === '' ? t('chat.thinking') : t('chat.writing');
}

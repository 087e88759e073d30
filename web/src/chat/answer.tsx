import { useState } from 'react';

import { t } from '../i18n/catalogue.js';
import { Icon } from '../parts/icons.js';
import type { ShownMessage, ShownTurn } from './conversation-operations.js';
import { FileLinks } from './file-links.js';
import { Markdown } from './markdown/markdown.js';
import { Reasoning } from './reasoning.js';
import { SourceChips } from './source-chips.js';
import { type Step, Steps } from './steps.js';
import { useThreadActions } from './thread-actions.js';
import { VersionSwitch } from './version-switch.js';

/** A stored answer, with what was done for it. */
export function Answer({ message, assistantName }: { message: ShownMessage; assistantName: string }) {
  const { openSources } = useThreadActions();
  const { text, citations, trustedAddresses, turn, status } = message;
  return (
    <article className="answer" aria-label={t('chat.answerOf', { name: message.author ?? assistantName })}>
      <Reasoning text={reasoningOf(message)} />
      {turn && <Steps steps={stepsOf(turn)} />}
      <Markdown
        text={text}
        markers={citations.map(({ marker }) => marker)}
        trusted={trustedAddresses}
        onMarker={(marker, sentence) => openSources({ sources: citations, marker, sentence })}
      />
      {status !== 'COMPLETE' && <Cut message={message} />}
      <SourceChips sources={citations} />
      {turn && <FileLinks files={turn.files} />}
      <AnswerActions message={message} />
    </article>
  );
}

/** Why an answer is not whole. */
function Cut({ message: { status, turn } }: { message: ShownMessage }) {
  return (
    <p className={status === 'FAILED' ? 'notice bad' : 'notice'}>
      <Icon name={status === 'FAILED' ? 'alert' : 'stop'} />
      <span className="text">{turn?.error?.message ?? t('chat.stopped')}</span>
    </p>
  );
}

function AnswerActions({ message }: { message: ShownMessage }) {
  const { regenerate } = useThreadActions();
  const [isCopied, setIsCopied] = useState(false);
  const copy = (): void => {
    void navigator.clipboard.writeText(message.text).then(() => setIsCopied(true));
  };
  const copyLabel = isCopied ? t('chat.copied') : t('chat.copy');
  return (
    <div className="message-actions">
      <VersionSwitch message={message} />
      <button type="button" className="icon-button" aria-label={copyLabel} title={copyLabel} onClick={copy}>
        <Icon name={isCopied ? 'check' : 'copy'} />
      </button>
      {message.turn && (
        <button
          type="button"
          className="icon-button"
          aria-label={t('chat.regenerate')}
          title={t('chat.regenerate')}
          onClick={() => void regenerate(message.id).catch(() => undefined)}
        >
          <Icon name="again" />
        </button>
      )}
    </div>
  );
}

function reasoningOf({ parts }: ShownMessage): string {
  return parts.map((part) => (part.__typename === 'ReasoningPart' ? part.text : '')).join('');
}

function stepsOf({ skillCalls }: ShownTurn): Step[] {
  return skillCalls.map(({ id, skill, arguments: given, status, resultPreview, startedAt, finishedAt }) => ({
    kind: 'skill',
    callId: id,
    skill,
    arguments: given,
    status,
    resultPreview,
    durationMs: finishedAt === null ? null : Date.parse(finishedAt) - Date.parse(startedAt),
  }));
}

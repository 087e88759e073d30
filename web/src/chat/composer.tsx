import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';

import { t } from '../i18n/catalogue.js';
import { Icon } from '../parts/icons.js';

interface ComposerProps {
  /** Under this name a draft is kept by the tab. */
  draftOf: string;
  placeholder: string;
  /** Settles once the question is stored; rejects where it is not, and the draft stays. */
  onSend: (text: string) => Promise<void>;
  /** Ends the answer under way; left out: there is none. */
  onStop?: (() => void) | undefined;
  children?: ReactNode;
}

/** Where one writes. Enter sends, Shift and Enter begin a new line. */
export function Composer({ draftOf, placeholder, onSend, onStop, children }: ComposerProps) {
  const [text, setText] = useDraft(draftOf);
  const isEmpty = text.trim() === '';
  const [isSending, setIsSending] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus({ preventScroll: true }), []);

  async function send(): Promise<void> {
    if (isEmpty || isSending) return;
    setIsSending(true);
    try {
      await onSend(text);
      setText('');
    } catch {
      // Whoever sends says why.
    } finally {
      setIsSending(false);
      field.current?.focus();
    }
  }

  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {children}
      <textarea
        ref={field}
        rows={1}
        aria-label={placeholder}
        placeholder={placeholder}
        maxLength={100_000}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (!isSendKey(event)) return;
          event.preventDefault();
          event.currentTarget.form?.requestSubmit();
        }}
      />
      <div className="composer-actions">
        {onStop && <StopButton onStop={onStop} />}
        {(!onStop || !isEmpty) && (
          <button
            type="submit"
            className="icon-button send"
            aria-label={t('chat.send')}
            disabled={isEmpty || isSending}
          >
            <Icon name="send" />
          </button>
        )}
      </div>
    </form>
  );
}

function StopButton({ onStop }: { onStop: () => void }) {
  return (
    <button type="button" className="button stop" onClick={onStop}>
      <Icon name="stop" />
      {t('chat.stop')}
    </button>
  );
}

/** What is written is kept by the tab. */
function useDraft(name: string): [string, (text: string) => void] {
  const key = `palabre:draft:${name}`;
  const [text, setText] = useState(() => sessionStorage.getItem(key) ?? '');
  useEffect(() => {
    if (text === '') sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, text);
  }, [key, text]);
  return [text, setText];
}

/** Not while a word is being composed, as in Chinese. */
function isSendKey({ key, shiftKey, nativeEvent }: KeyboardEvent): boolean {
  return key === 'Enter' && !shiftKey && !nativeEvent.isComposing;
}

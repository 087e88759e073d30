import {
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
  type ReactNode,
  type SyntheticEvent,
  useEffect,
  useRef,
  useState,
} from 'react';

import { t } from '../i18n/catalogue.js';
import { Icon } from '../parts/icons.js';
import { AttachButton, AttachmentList, useAttachments } from './attachments.js';

interface ComposerProps {
  /** Under this name a draft is kept by the tab. */
  draftOf: string;
  placeholder: string;
  /** Left out: the question begins one, and so do its attachments. */
  conversationId?: string;
  /** Settles once the question is stored; rejects where it is not, and the draft stays. */
  onSend: (text: string, attachmentIds: string[]) => Promise<void>;
  /** Ends the answer under way; left out: there is none. */
  onStop?: (() => void) | undefined;
  children?: ReactNode;
}

/** Where one writes. Enter sends, Shift and Enter begin a new line. */
export function Composer({ draftOf, placeholder, conversationId, onSend, onStop, children }: ComposerProps) {
  const [text, setText] = useDraft(draftOf);
  const attachments = useAttachments(conversationId);
  const isEmpty = text.trim() === '';
  const isReady = !isEmpty && !attachments.isBusy;
  const [isSending, setIsSending] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus({ preventScroll: true }), []);

  async function send(): Promise<void> {
    if (!isReady || isSending) return;
    setIsSending(true);
    try {
      await onSend(text, [...attachments.ids]);
      setText('');
      attachments.clear();
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
      {...takingFiles(attachments.add)}
    >
      {(attachments.all.length > 0 || attachments.problem !== null) && <AttachmentList {...attachments} />}
      <AttachButton add={attachments.add} />
      {children}
      <textarea
        ref={field}
        dir="auto"
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
        {(!onStop || !isEmpty) && <SendButton isDisabled={!isReady || isSending} />}
      </div>
    </form>
  );
}

/** Files that are dropped or pasted there. */
function takingFiles(add: (files: Iterable<File>) => void) {
  const take = (event: SyntheticEvent, { files }: DataTransfer): void => {
    if (files.length === 0) return;
    event.preventDefault();
    add(files);
  };
  return {
    onDragOver: (event: DragEvent) => event.preventDefault(),
    onDrop: (event: DragEvent) => take(event, event.dataTransfer),
    onPaste: (event: ClipboardEvent) => take(event, event.clipboardData),
  };
}

function SendButton({ isDisabled }: { isDisabled: boolean }) {
  return (
    <button type="submit" className="icon-button send" aria-label={t('chat.send')} disabled={isDisabled}>
      <Icon name="send" />
    </button>
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

import { useEffect, useRef, useState } from 'react';

import { usePalabre } from '../api/client.js';
import { t } from '../i18n/catalogue.js';
import { Icon } from '../parts/icons.js';
import { explained } from './asking.js';

/** The server takes no more with one question. */
const MAX_ATTACHMENTS = 20;

interface Attached {
  key: number;
  name: string;
  /** 0 to 1. */
  share: number;
  /** Null: it is on its way, or was refused. */
  id: string | null;
  problem: string | null;
  /** An image as it is here. */
  preview: string | null;
  leaving: AbortController;
}

export interface Attachments {
  all: readonly Attached[];
  ids: readonly string[];
  /** Some are on their way: the question would go without them. */
  isBusy: boolean;
  problem: string | null;
  add: (files: Iterable<File>) => void;
  remove: (key: number) => void;
  clear: () => void;
}

/** Files for the next question, sent as soon as they are chosen. */
export function useAttachments(conversationId: string | undefined): Attachments {
  const palabre = usePalabre();
  const [all, setAll] = useState<readonly Attached[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  const count = useRef(0);
  const shown = useRef(all);
  useEffect(() => {
    shown.current = all;
  }, [all]);
  useEffect(() => () => shown.current.forEach(release), []);

  const change = (key: number, changes: Partial<Attached>): void =>
    setAll((before) => before.map((one) => (one.key === key ? { ...one, ...changes } : one)));

  async function send(file: File): Promise<void> {
    const key = (count.current += 1);
    const leaving = new AbortController();
    const { name } = file;
    const preview = file.type.startsWith('image/') ? URL.createObjectURL(file) : null;
    setAll((before) => [...before, { key, name, share: 0, id: null, problem: null, preview, leaving }]);
    const onProgress = (sent: number, total: number): void =>
      change(key, { share: total > 0 ? sent / total : 0 });
    try {
      const id = await palabre.uploadAttachment(file, { conversationId, onProgress, signal: leaving.signal });
      change(key, { id });
    } catch (error) {
      if (!leaving.signal.aborted) change(key, { problem: explained(error) });
    }
  }

  return {
    all,
    ids: all.flatMap(({ id }) => id ?? []),
    isBusy: all.some(({ id, problem }) => id === null && problem === null),
    problem,
    add: (files) => {
      const given = [...files];
      const taken = given.slice(0, MAX_ATTACHMENTS - all.length);
      setProblem(taken.length < given.length ? t('attachments.tooMany', { count: MAX_ATTACHMENTS }) : null);
      taken.forEach((file) => void send(file));
    },
    remove: (key) => {
      all.filter((one) => one.key === key).forEach(release);
      setAll((before) => before.filter((one) => one.key !== key));
      setProblem(null);
    },
    clear: () => {
      all.forEach(release);
      setAll([]);
    },
  };
}

function release({ leaving, preview }: Attached): void {
  leaving.abort();
  if (preview !== null) URL.revokeObjectURL(preview);
}

export function AttachmentList({ all, problem, remove }: Attachments) {
  return (
    <div className="attachments">
      <ul className="plain chips" aria-label={t('attachments.list')}>
        {all.map((one) => (
          <li key={one.key} className="chip">
            {one.preview === null ? (
              <Icon name="documents" />
            ) : (
              <img className="thumbnail" src={one.preview} alt="" />
            )}
            <span className="cut">{one.name}</span>
            {one.id === null && one.problem === null && (
              <progress value={one.share} max={1} aria-label={t('documents.sending', { name: one.name })} />
            )}
            {one.problem !== null && (
              <span className="problem" role="alert">
                {one.problem}
              </span>
            )}
            <button
              type="button"
              className="icon-button"
              aria-label={t('attachments.remove', { name: one.name })}
              onClick={() => remove(one.key)}
            >
              <Icon name="close" />
            </button>
          </li>
        ))}
      </ul>
      {problem !== null && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

export function AttachButton({ add }: Pick<Attachments, 'add'>) {
  const field = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={field}
        type="file"
        multiple
        hidden
        onChange={({ target }) => {
          add([...(target.files ?? [])]);
          // So that the same file can be chosen again.
          target.value = '';
        }}
      />
      <button
        type="button"
        className="icon-button attach"
        aria-label={t('attachments.add')}
        title={t('attachments.add')}
        onClick={() => field.current?.click()}
      >
        <Icon name="attach" />
      </button>
    </>
  );
}

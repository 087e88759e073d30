import { useRef, useState } from 'react';

import { usePalabre } from '../api/client.js';
import { explained } from '../chat/asking.js';
import { t } from '../i18n/catalogue.js';
import { Icon } from '../parts/icons.js';

interface Upload {
  key: number;
  name: string;
  /** 0 to 1. */
  share: number;
  problem: string | null;
  stop: () => void;
}

/** Files on their way to the server. `onArrived` is called after each. */
export function useUploads(onArrived: () => void) {
  const palabre = usePalabre();
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const count = useRef(0);
  const dismiss = (key: number): void => setUploads((all) => all.filter((one) => one.key !== key));
  const send = async (file: File): Promise<void> => {
    const key = (count.current += 1);
    const leaving = new AbortController();
    const change = (changes: Partial<Upload>): void =>
      setUploads((all) => all.map((one) => (one.key === key ? { ...one, ...changes } : one)));
    const stop = (): void => leaving.abort();
    setUploads((all) => [...all, { key, name: file.name, share: 0, problem: null, stop }]);
    try {
      const onProgress = (sent: number, total: number): void =>
        change({ share: total > 0 ? sent / total : 0 });
      await palabre.uploadDocument(file, { onProgress, signal: leaving.signal });
      dismiss(key);
      onArrived();
    } catch (error) {
      if (leaving.signal.aborted) dismiss(key);
      else change({ problem: explained(error) });
    }
  };
  const add = (files: readonly File[]): void => files.forEach((file) => void send(file));
  return { uploads, add, dismiss };
}

export function Uploads({
  uploads,
  dismiss,
}: {
  uploads: readonly Upload[];
  dismiss: (key: number) => void;
}) {
  if (uploads.length === 0) return null;
  return (
    <ul className="plain rows" aria-label={t('documents.uploads')}>
      {uploads.map(({ key, name, share, problem, stop }) => (
        <li key={key} className="document">
          <div className="document-facts">
            <strong>{name}</strong>
            {problem === null ? (
              <progress value={share} max={1} aria-label={t('documents.sending', { name })} />
            ) : (
              <p className="problem" role="alert">
                {problem}
              </p>
            )}
          </div>
          <button
            type="button"
            className="icon-button"
            aria-label={problem === null ? t('documents.stop', { name }) : t('action.close')}
            onClick={problem === null ? stop : () => dismiss(key)}
          >
            <Icon name="close" />
          </button>
        </li>
      ))}
    </ul>
  );
}

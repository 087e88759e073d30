import type { CombinedError } from '@urql/core';
import { type ReactNode, useEffect, useId, useRef } from 'react';

import { t } from '../i18n/catalogue.js';
import { Icon } from './icons.js';
import { Failure } from './states.js';

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
  /** Such as a drawer; else it stands in the middle. */
  className?: string;
}

/** The browser's own modal dialog: it keeps the focus, gives it back, and closes by Escape. It is open while it is drawn. */
export function Dialog({ title, onClose, children, className }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={className}
      aria-labelledby={titleId}
      onCancel={(event) => {
        // Choosing no file cancels as well.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        onClose();
      }}
      // Beside the dialog is its backdrop.
      onClick={(event) => event.target === event.currentTarget && isBeside(event) && onClose()}
    >
      <header className="dialog-head">
        <h2 id={titleId}>{title}</h2>
        <button type="button" className="icon-button" aria-label={t('action.close')} onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      {children}
    </dialog>
  );
}

function isBeside({ currentTarget, clientX, clientY }: React.MouseEvent<HTMLElement>): boolean {
  const { left, right, top, bottom } = currentTarget.getBoundingClientRect();
  return clientX < left || clientX > right || clientY < top || clientY > bottom;
}

interface ConfirmProps {
  title: string;
  text: string;
  /** What is done, as a verb. */
  action: string;
  isBusy?: boolean;
  error?: CombinedError | undefined;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before something that cannot be undone. */
export function Confirm({ title, text, action, isBusy = false, error, onConfirm, onClose }: ConfirmProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="content">
        <p>{text}</p>
        {error && <Failure error={error} />}
        <div className="actions">
          <button type="button" className="button" onClick={onClose}>
            {t('action.cancel')}
          </button>
          <button type="button" className="button bad" disabled={isBusy} onClick={onConfirm}>
            {action}
          </button>
        </div>
      </div>
    </Dialog>
  );
}

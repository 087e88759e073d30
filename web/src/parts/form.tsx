import type { CombinedError } from '@urql/core';
import type { ComponentProps, ReactNode, SyntheticEvent } from 'react';

import { t } from '../i18n/catalogue.js';
import { Dialog } from './dialog.js';
import { Failure } from './states.js';

interface ChoiceProps<Value extends string> {
  label: string;
  options: readonly (readonly [value: Value, text: string])[];
  value: Value;
  onChoose: (value: Value) => void;
  className?: string;
}

/** The browser's own select, which knows its values. */
export function Choice<Value extends string>({
  label,
  options,
  value,
  onChoose,
  className,
}: ChoiceProps<Value>) {
  return (
    <label className={`field ${className ?? ''}`}>
      <span>{label}</span>
      <select
        value={value}
        onChange={({ target }) => {
          const chosen = options.find(([one]) => one === target.value);
          if (chosen) onChoose(chosen[0]);
        }}
      >
        {options.map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

interface FieldProps {
  label: string;
  value: string | number;
  onChange: (value: string) => void;
}

/** A line of text with its label. */
export function Field({
  label,
  onChange,
  ...input
}: FieldProps & Omit<ComponentProps<'input'>, keyof FieldProps>) {
  return (
    <label className="field">
      <span>{label}</span>
      <input {...input} onChange={({ target }) => onChange(target.value)} />
    </label>
  );
}

/** Text of several lines with its label. */
export function TextArea({
  label,
  onChange,
  ...input
}: FieldProps & Omit<ComponentProps<'textarea'>, keyof FieldProps>) {
  return (
    <label className="field">
      <span>{label}</span>
      <textarea {...input} onChange={({ target }) => onChange(target.value)} />
    </label>
  );
}

/** For a form: does this in the place of what browsers do. */
export function submits(save: () => unknown): (event: SyntheticEvent) => void {
  return (event) => {
    event.preventDefault();
    void save();
  };
}

interface FormDialogProps {
  title: string;
  /** Saves what was filled in, and closes the dialog where that succeeds. */
  onSave: () => unknown;
  isBusy: boolean;
  error: CombinedError | undefined;
  onClose: () => void;
  children: ReactNode;
}

/** A form in a dialog, with what it was not saved for. */
export function FormDialog({ title, onSave, isBusy, error, onClose, children }: FormDialogProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={submits(onSave)}>
        {children}
        {error && <Failure error={error} />}
        <FormActions isBusy={isBusy} onCancel={onClose} />
      </form>
    </Dialog>
  );
}

interface FormActionsProps {
  isBusy: boolean;
  onCancel: () => void;
}

/** The end of a form in a dialog. */
export function FormActions({ isBusy, onCancel }: FormActionsProps) {
  return (
    <div className="actions">
      <button type="button" className="button" onClick={onCancel}>
        {t('action.cancel')}
      </button>
      <button type="submit" className="button main" disabled={isBusy}>
        {t('action.save')}
      </button>
    </div>
  );
}

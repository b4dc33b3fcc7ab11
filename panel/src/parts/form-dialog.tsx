import { Button, Group, Modal, Stack } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import { useMessages } from '../messages/use-messages.ts';
import { ProblemAlert } from './problem-alert.tsx';
import { useServiceForm, type Submit } from './use-service-form.ts';
import { Form } from './form.tsx';

interface FormDialogProps<Values extends Record<string, unknown>> {
  title: string;
  opened: boolean;
  onClose: () => void;
  initial: Values;
  /** Usually `change.mutateAsync` of a `useChange`; what it throws is shown at its inputs. */
  onSubmit: Submit<Values>;
  submit?: string;
  /** Where the result is shown in the dialog. */
  keepsOpen?: boolean;
  size?: string;
  children: (form: UseFormReturnType<Values>) => ReactNode;
}

/** A form over the page. The rules are the service's: what it refuses stands at the input it is about. */
export function FormDialog<Values extends Record<string, unknown>>(props: FormDialogProps<Values>) {
  return (
    <Modal opened={props.opened} onClose={props.onClose} title={props.title} size={props.size ?? 'md'}>
      {props.opened && <FormBody {...props} />}
    </Modal>
  );
}

function FormBody<Values extends Record<string, unknown>>({
  onClose,
  initial,
  onSubmit,
  submit,
  keepsOpen = false,
  children,
}: FormDialogProps<Values>) {
  const t = useMessages('parts');
  const { form, problem, pointers, send } = useServiceForm(initial, async (values, changed) => {
    await onSubmit(values, changed);
    if (!keepsOpen) onClose();
  });
  return (
    <Form onSubmit={send}>
      <Stack gap="md">
        {children(form)}
        <ProblemAlert problem={problem} shown={pointers} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t.cancel}
          </Button>
          <Button type="submit" loading={form.submitting}>
            {submit ?? t.save}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}

import { Checkbox, Group, SegmentedControl, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import { ApiProblem } from '../../api/problem.ts';
import type { ConsentRule, ConsentTerm } from '../../api/operations.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Notice } from '../../parts/notice.tsx';
import { toast } from '../../parts/toast.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { linkTo } from '../../parts/app/page-link.tsx';
import { useApi, useChange } from '../../parts/app/use-api.ts';
import { currentOf, useCatalogue, type Channel } from './catalogue.ts';
import styles from './consent.module.css';

const contactTypes: Record<Channel, ConsentRule['contact_type'][]> = {
  mail: ['email_address', 'uniquecode'],
  sms: ['phone_number', 'uniquecode'],
  wsp: ['phone_number', 'uniquecode'],
  call: ['phone_number', 'uniquecode'],
  push: ['uniquecode'],
};

interface Recorded extends Record<string, unknown> {
  action: ConsentRule['action'];
  term_id: string;
  channel: Channel;
  contact_type: ConsentRule['contact_type'];
  contact: string;
  purpose_ids: string[];
  method: 'single_opt_in' | 'double_opt_in';
  reason: string;
}

/** Only active terms take consents; every one takes withdrawals. Both need a current version. */
const takes = (term: ConsentTerm, action: ConsentRule['action']): boolean =>
  currentOf(term) !== undefined && (term.is_active || action === 'deny');

/** Of a term, as far as the dialog can guess: the only purpose, the first channel. */
function guessed(
  term: ConsentTerm | undefined,
): Pick<Recorded, 'term_id' | 'channel' | 'contact_type' | 'purpose_ids'> {
  const [channel = 'mail'] = term?.channels ?? [];
  const [contact_type = 'email_address'] = contactTypes[channel];
  const ids = term?.purpose_ids ?? [];
  return {
    term_id: term ? String(term.id) : '',
    channel,
    contact_type,
    purpose_ids: ids.length === 1 ? ids.map(String) : [],
  };
}

/** Writes down what reached people on paper, by phone or in person. */
export function RecordDialog({
  opened,
  onClose,
  contact = '',
}: {
  opened: boolean;
  onClose: () => void;
  contact?: string;
}) {
  const t = useMessages('consent');
  const { slug } = useApi();
  const navigate = useNavigate();
  const { terms, isLoaded } = useCatalogue();
  const record = useChange('panel_record_consent_event', {
    onDone: (event, { body }) => {
      toast(t.recorded[body.rules[0]?.action ?? 'allow']);
      const [rule] = event.rules;
      const search = { contact: rule?.contact };
      if (rule) void navigate(linkTo(slug, { page: 'consent_evidence', search }));
    },
  });
  const initial: Recorded = {
    action: 'allow',
    ...guessed(terms.find((term) => takes(term, 'allow')) ?? terms.find((term) => takes(term, 'deny'))),
    contact,
    method: 'single_opt_in',
    reason: '',
  };
  return (
    <FormDialog
      title={t.record}
      opened={opened && isLoaded}
      onClose={onClose}
      size="lg"
      initial={initial}
      submit={t.submit_record}
      onSubmit={async ({ action, term_id, channel, contact_type, method, purpose_ids, ...rest }) => {
        const rules = purpose_ids.map((purpose) => ({
          channel,
          contact_type,
          contact: rest.contact,
          purpose_id: Number(purpose),
          action,
        }));
        const body = {
          term_id: Number(term_id),
          method: action === 'deny' ? ('single_opt_in' as const) : method,
          reason: rest.reason,
          rules,
        };
        await record.mutateAsync({ body }).catch(atInputs);
      }}
    >
      {(form) => <RecordFields form={form} />}
    </FormDialog>
  );
}

function RecordFields({ form }: { form: UseFormReturnType<Recorded> }) {
  const t = useMessages('consent');
  const values = useMessages('consent_values');
  const { terms, purposeName } = useCatalogue();
  const { action, channel, term_id, method } = form.values;
  const usable = terms.filter((term) => takes(term, action));
  const term = usable.find(({ id }) => String(id) === term_id);
  const current = term && currentOf(term);
  const chooseTerm = (chosen: ConsentTerm | undefined): void => form.setValues(guessed(chosen));
  return (
    <>
      <Text size="sm" c="dimmed">
        {t.record_about}
      </Text>
      <SegmentedControl
        fullWidth
        aria-label={t.action}
        data={[
          { value: 'allow', label: t.consent },
          { value: 'deny', label: t.withdrawal },
        ]}
        value={action}
        onChange={(chosen) => {
          form.setFieldValue('action', chosen);
          if (!term || !takes(term, chosen)) chooseTerm(terms.find((each) => takes(each, chosen)));
        }}
      />
      {usable.length === 0 && <Notice title={t.no_usable_term}>{t.no_usable_term_about}</Notice>}
      <Select
        label={t.term}
        data={usable.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={term_id || null}
        onChange={(chosen) => chooseTerm(usable.find(({ id }) => String(id) === chosen))}
        error={form.errors['term_id']}
      />
      {current && (
        <Stack gap={4}>
          <Text size="sm" fw={500}>
            {t.current_text(current.version)}
          </Text>
          {/* Scrollable, so that it can be reached by keys. */}
          <p className={styles['text']} tabIndex={0}>
            {current.body}
          </p>
        </Stack>
      )}
      <Checkbox.Group label={t.purposes} {...form.getInputProps('purpose_ids')}>
        <Group gap="md" mt={6}>
          {(term?.purpose_ids ?? []).map((id) => (
            <Checkbox key={id} value={String(id)} label={purposeName(id)} />
          ))}
        </Group>
      </Checkbox.Group>
      <Group grow align="flex-start">
        <Select
          label={t.channel}
          data={(term?.channels ?? []).map((value) => ({ value, label: values.channels[value] }))}
          value={channel}
          onChange={(chosen) => {
            const next = chosen as Channel;
            const [first = 'uniquecode'] = contactTypes[next];
            form.setValues({ channel: next, contact_type: first });
          }}
          error={form.errors['channel']}
        />
        <Select
          label={t.contact_type}
          data={contactTypes[channel].map((value) => ({ value, label: values.contact_types[value] }))}
          {...form.getInputProps('contact_type')}
        />
      </Group>
      <TextInput label={t.contact} {...form.getInputProps('contact')} />
      {action === 'allow' && (
        <Select
          label={t.method}
          description={t.method_help[method]}
          data={(['single_opt_in', 'double_opt_in'] as const).map((value) => ({
            value,
            label: values.methods[value],
          }))}
          {...form.getInputProps('method')}
        />
      )}
      <Textarea
        label={t.reason}
        description={t.reason_help}
        rows={3}
        maxLength={500}
        {...form.getInputProps('reason')}
      />
      <Notice>{t.for_good}</Notice>
    </>
  );
}

/** What is wrong with a rule is shown at the inputs that made it. */
function atInputs(error: unknown): never {
  if (!(error instanceof ApiProblem)) throw error;
  const errors = error.errors.map((violation) => ({
    ...violation,
    pointer: violation.pointer
      .replace(/^\/rules\/\d+\/purpose_id$/, '/purpose_ids')
      .replace(/^\/rules\/\d+\//, '/')
      .replace(/^\/rules$/, '/purpose_ids'),
  }));
  const { status, code, message: detail, trace_id } = error;
  throw new ApiProblem({ status, code, detail, ...(trace_id === undefined ? {} : { trace_id }), errors });
}

import {
  Button,
  Group,
  Modal,
  SegmentedControl,
  Select,
  Skeleton,
  Stack,
  Text,
  Textarea,
} from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy, IconMail } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { languageNames, languages, type Language } from '../../api/language.ts';
import type { RightsRequestDetail } from '../../api/operations.ts';
import { useMessages } from '../../messages/use-messages.ts';
import { useApi } from '../../parts/app/use-api.ts';
import { ProblemAlert } from '../../parts/problem-alert.tsx';

type Answer = 'received' | 'extended' | 'fulfilled' | 'refused';
type Request = { request: RightsRequestDetail };

const fitting = ({ status, extended_at }: RightsRequestDetail): Answer => {
  if (status === 'fulfilled' || status === 'refused') return status;
  return extended_at === null ? 'received' : 'extended';
};

/** Texts to start an answer from, in the language of the person. Nothing is sent. */
export function AnswersDialog({
  request,
  opened,
  onClose,
}: Request & { opened: boolean; onClose: () => void }) {
  const t = useMessages('rights_request');
  return (
    <Modal opened={opened} onClose={onClose} title={t.answers} size="lg">
      {opened && <Drafts request={request} />}
    </Modal>
  );
}

function Drafts({ request }: Request) {
  const t = useMessages('rights_request');
  const api = useApi();
  const [language, setLanguage] = useState<Language>(request.language);
  const [answer, setAnswer] = useState<Answer>(fitting(request));
  const { data, error } = useQuery(
    api.read('panel_list_rights_answers', { params: { id: request.id }, query: { language } }),
  );
  // While another language loads, the old one is still there.
  const draft = data?.language === language ? data.data.find((each) => each.answer === answer) : undefined;
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        {t.answers_about}
      </Text>
      <Group align="end" gap="md">
        <Select
          label={t.answer}
          data={Object.entries(t.answer_kinds).map(([value, label]) => ({ value, label }))}
          value={answer}
          allowDeselect={false}
          onChange={(value) => setAnswer((value ?? 'received') as Answer)}
        />
        <SegmentedControl
          aria-label={t.answer_language}
          data={languages.map((value) => ({ value, label: languageNames[value] }))}
          value={language}
          onChange={(value) => setLanguage(value)}
        />
      </Group>
      <ProblemAlert problem={error} />
      {!draft && !error && <Skeleton height={220} />}
      {draft && <Draft key={`${language} ${answer}`} request={request} draft={draft} />}
    </Stack>
  );
}

function Draft({ request, draft }: Request & { draft: { subject: string; text: string } }) {
  const t = useMessages('rights_request');
  const { copied, copy } = useClipboard({ timeout: 1500 });
  const [text, setText] = useState(draft.text);
  const address = request.contacts.find(({ contact_type }) => contact_type === 'email_address')?.contact;
  const query = new URLSearchParams({ subject: draft.subject, body: text }).toString().replaceAll('+', '%20');
  return (
    <>
      <Text size="sm" fw={500}>
        {draft.subject}
      </Text>
      <Textarea
        aria-label={t.answer_text}
        autosize
        minRows={8}
        maxRows={18}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Group justify="flex-end" gap="xs">
        {address !== undefined && (
          <Button
            component="a"
            variant="default"
            leftSection={<IconMail size={16} />}
            href={`mailto:${encodeURIComponent(address)}?${query}`}
          >
            {t.answer_by_mail}
          </Button>
        )}
        <Button
          leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
          onClick={() => copy(`${draft.subject}\n\n${text}`)}
        >
          {copied ? t.answer_copied : t.copy_answer}
        </Button>
      </Group>
    </>
  );
}

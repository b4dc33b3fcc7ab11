import { Stack, Text } from '@mantine/core';
import type { Form } from '../../api/operations.ts';
import { BackLink } from '../../parts/back-link.tsx';
import { Section } from '../../parts/detail.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { UrlTabs } from '../../parts/tabs.tsx';
import { useMessages } from '../../messages/use-messages.ts';
import { FormState } from '../forms/form-state.tsx';
import type { Catalogue } from './catalogue.ts';
import { draftOf } from './draft.ts';
import { FormActions } from './form-actions.tsx';
import { savedTabs } from './form-editor.tsx';
import styles from './form.module.css';
import { useItemWords } from './item-words.tsx';

/** A form for those who only look. */
export function FormView({ form, catalogue }: { form: Form; catalogue: Catalogue }) {
  const t = useMessages('form');
  const content = {
    name: 'content',
    label: t.tabs.content,
    content: () => <Content form={form} catalogue={catalogue} />,
  };
  return (
    <main>
      <PageHeader
        title={form.name}
        badge={<FormState form={form} />}
        back={<BackLink page="forms" />}
        actions={<FormActions form={form} />}
      />
      <UrlTabs label={t.tabs.label} tabs={[content, ...savedTabs(form, catalogue, t.tabs)]} />
    </main>
  );
}

function Content({ form, catalogue }: { form: Form; catalogue: Catalogue }) {
  const t = useMessages('form');
  const wordsOf = useItemWords(catalogue);
  return (
    <Stack gap="md" maw={640}>
      <Section title={t.items}>
        <ol className={styles['items']}>
          {draftOf(form).items.map((item) => {
            const { icon: Icon, title, about } = wordsOf(item);
            return (
              <li key={item.key} className={styles['item']}>
                <div className={styles['itemName']}>
                  <Icon size={18} stroke={1.6} aria-hidden />
                  <span>
                    <Text component="span" fw={550} truncate display="block">
                      {title}
                    </Text>
                    <Text component="span" size="xs" c="dimmed" truncate display="block">
                      {about}
                    </Text>
                  </span>
                </div>
              </li>
            );
          })}
        </ol>
      </Section>
    </Stack>
  );
}

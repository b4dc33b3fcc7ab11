import { ActionIcon, Button, Group, Menu, Tooltip, type ButtonProps } from '@mantine/core';
import { IconChevronDown, IconDots, type Icon } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { useMessages } from '../messages/use-messages.ts';
import { ConfirmDialog, type Action } from './confirm-dialog.tsx';

/** Asks before what has to be asked for, and does the rest at once. */
function useAsked(actions: Action[]): { start: (action: Action) => void; question: ReactNode } {
  const [asked, setAsked] = useState<string>();
  const start = ({ label, about, run }: Action): void => {
    if (about === undefined) void run();
    else setAsked(label);
  };
  const action = actions.find(({ label }) => label === asked);
  return { start, question: <ConfirmDialog action={action} onClose={() => setAsked(undefined)} /> };
}

/** Actions behind three dots, or behind a button with a label. */
export function ActionMenu({
  label,
  actions,
  icon: Shown,
}: {
  label?: string;
  icon?: Icon;
  /** Those that do not apply are false. */
  actions: (Action | false | undefined)[];
}) {
  const t = useMessages('parts');
  const offered = actions.filter((each) => typeof each === 'object');
  const { start, question } = useAsked(offered);
  if (offered.length === 0) return null;
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          {label !== undefined ? (
            <Button
              variant="default"
              leftSection={Shown && <Shown size={16} />}
              rightSection={<IconChevronDown size={16} />}
            >
              {label}
            </Button>
          ) : (
            <ActionIcon variant="default" size={36} aria-label={t.more}>
              <IconDots size={18} />
            </ActionIcon>
          )}
        </Menu.Target>
        <Menu.Dropdown>
          {offered.map((action) => (
            <Menu.Item
              key={action.label}
              leftSection={action.icon && <action.icon size={16} />}
              disabled={action.isDisabled ?? false}
              color={action.isDangerous ? 'red' : undefined}
              onClick={() => start(action)}
            >
              {action.label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {question}
    </>
  );
}

/** One action as a button. */
export function ActionButton({
  action,
  ...look
}: { action: Action } & Omit<ButtonProps, 'children'> & { 'aria-label'?: string }) {
  const { start, question } = useAsked([action]);
  return (
    <>
      <Button
        variant="default"
        leftSection={action.icon && <action.icon size={16} />}
        disabled={action.isDisabled ?? false}
        {...look}
        onClick={() => start(action)}
      >
        {action.label}
      </Button>
      {question}
    </>
  );
}

/** Takes away what the dialog around it is about. */
export function RemoveButton(action: Action) {
  return (
    <Group>
      <ActionButton action={{ ...action, isDangerous: true }} variant="subtle" color="red" px={0} />
    </Group>
  );
}

interface OfRow {
  /** The action and the row, for those who hear one button after another. */
  named: string;
  isBusy?: boolean;
}

/** An action of one row. */
export function RowAction({ named, isBusy = false, ...action }: Action & OfRow) {
  const color = action.isDangerous ? 'red' : undefined;
  return (
    <ActionButton
      action={action}
      variant="subtle"
      size="compact-sm"
      aria-label={named}
      loading={isBusy}
      color={color}
    />
  );
}

/** An action of one row, where there is room for an icon. */
export function IconAction({
  named,
  isBusy = false,
  icon: Shown,
  ...action
}: Action & OfRow & { icon: Icon }) {
  const { start, question } = useAsked([action]);
  return (
    <>
      <Tooltip label={action.label}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={named}
          loading={isBusy}
          onClick={() => start(action)}
        >
          <Shown size={16} />
        </ActionIcon>
      </Tooltip>
      {question}
    </>
  );
}

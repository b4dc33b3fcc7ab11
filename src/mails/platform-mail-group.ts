/**
 * The group (`custom_group_code`) of what the platform writes for an instance, by which its mail is told from that of others: an
 * erasure takes the mail of its own instance only.
 */
export function platformMailGroup(instanceId: number): string {
  return `instance-${instanceId}`;
}

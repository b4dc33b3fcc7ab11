import { counted } from './counting.ts';
export const messages = {
  records: 'DNS records',
  records_about: 'Add these records at your DNS provider. This page checks them every 30 seconds.',
  all_found: 'All records are in place',
  all_found_about: 'Validate the domain now to start sending.',
  lost: (count: number) => `${counted(count, 'record is', 'records are')} no longer published`,
  lost_about:
    'The domain stays verified until the next validation. Publish what is missing before you validate.',
  looked_up: 'DNS checked',
  looking: 'Checking DNS…',
  full_names: 'Full names',
  checks: {
    ownership: { name: 'Ownership', about: 'Optional. Proves that the domain is yours.' },
    mx: { name: 'MX', about: 'Brings bounces and complaints back here.' },
    spf: { name: 'SPF', about: 'Lets this platform send for the domain.' },
    dkim: { name: 'DKIM', about: 'Signs each mail. Two names, so that keys can be rotated.' },
    dmarc: {
      name: 'DMARC',
      about: 'Tells receivers what to do with mail that fails SPF and DKIM, and requests reports.',
    },
  },
  statuses: {
    found: 'Found',
    not_found: 'Not found',
    wrong_value: 'Wrong value',
    unreadable: 'No answer',
    pending: 'Not checked',
  },
  state: 'State',
  found: 'Published now:',
  suggested_value: 'Value, keeping what you publish now',
  copy_name: (type: string) => `Copy name of the ${type} record`,
  copy_value: (type: string) => `Copy value of the ${type} record`,
  doubled: (found_at: string, name: string) =>
    `The record is at ${found_at}, because your provider adds the domain to each name. Enter the name as ${name}.`,
  problems: {
    not_found: 'Nothing is published at this name.',
    wrong_value: 'Another value is published here. Replace it.',
    unreadable: 'The name servers did not answer. This page tries again.',
    several_records:
      'There are several of these records and only one may exist. Replace all of them with the one above.',
    spf_include_missing:
      'Your SPF record does not include this platform. Replace it with the one above, which keeps everything that it allows now.',
    spf_include_after_all:
      'This platform comes after “all”, where receivers stop reading. Replace the record with the one above.',
    spf_include_qualified:
      'The qualifier before this platform does not let it send. Replace the record with the one above.',
    spf_too_many_lookups:
      'Your SPF record needs more than 10 DNS lookups, and receivers refuse it. Remove services that you no longer use.',
    cname_loop: 'This CNAME leads back to itself.',
    cname_too_long: 'This CNAME passes through too many names. Point it to the value above.',
    dkim_key_copied:
      'There is a TXT record with a copy of the key. Delete it and add the CNAME, so that keys can be rotated.',
    dkim_key_missing:
      'The CNAME is right, but the platform publishes no key there. Its operator has to delegate the platform domain.',
    dkim_key_invalid:
      'The CNAME is right, but its target is not a DKIM key. The operator of the platform has to correct that.',
    dmarc_tag_repeated: 'Your DMARC record has the same tag twice. Keep one of them.',
    dmarc_rua_missing:
      'Your DMARC record has no address for reports. Replace it with the one above, which keeps your policy.',
    dmarc_rua_invalid:
      'The address for reports in your DMARC record (rua) is not valid. It must begin with mailto:.',
  },
  connect: (provider: string) => `Publish with ${provider}`,
  connect_about: (records: string, host: string) =>
    `Your DNS provider can add these records for you: ${records}. You sign in at ${host}, check them and confirm.`,
  connect_go: (provider: string) => `Continue to ${provider}`,
  dns_at: (provider: string) => `Add the records at ${provider}`,
  dns_of: (zone: string) => `DNS provider of ${zone}`,
  unknown_provider:
    'Add the records in the control panel of the provider that runs these name servers, often your web hosting.',
  no_name_servers: (zone: string) =>
    `${zone} has no name servers that answer. Set them where you registered the name: NIC Chile for .cl.`,
  name_servers: 'Name servers:',
  providers: {
    cloudflare: {
      name: 'Cloudflare',
      steps: {
        open: 'Open dash.cloudflare.com, choose the domain, then DNS, Records.',
        add: 'Choose Add record for each row. Enter the name as shown here; Cloudflare appends the domain.',
        proxy: 'Set the proxy status of each CNAME to DNS only (grey cloud).',
      },
    },
    godaddy: {
      name: 'GoDaddy',
      steps: {
        open: 'Open My Products, choose DNS beside the domain.',
        add: 'Choose Add New Record for each row. Enter the name as shown here; GoDaddy appends the domain.',
        proxy: 'Edit an SPF record that is already there. Do not add a second one.',
      },
    },
    google: {
      name: 'Google Cloud DNS',
      steps: {
        open: 'Open Network services, Cloud DNS in the Google Cloud console, and choose the zone.',
        add: 'Choose Add standard for each row. Leave the name empty where @ is shown here.',
        proxy: 'End the targets of CNAME and MX records with a dot.',
      },
    },
    namecheap: {
      name: 'Namecheap',
      steps: {
        open: 'Open Domain List, choose Manage, then Advanced DNS.',
        add: 'Choose Add New Record for each row. Enter the host as shown here; Namecheap appends the domain.',
        proxy: 'MX records are under Mail Settings: choose Custom MX.',
      },
    },
    nic_chile: {
      name: 'NIC Chile',
      steps: {
        open: 'NIC Chile registers the name and serves copies of the zone. The records are edited at the primary name server.',
        add: 'Sign in at nic.cl, open the domain and read its name servers: the first one usually belongs to your web hosting.',
        proxy: 'Add the records there, or email them to the person who manages it.',
      },
    },
    route53: {
      name: 'Amazon Route 53',
      steps: {
        open: 'Open Hosted zones in the Route 53 console and choose the zone.',
        add: 'Choose Create record for each row. Enter the name as shown here; leave it empty where it is @.',
        proxy: 'Enclose TXT values in quotes. Or import the batch below with the AWS command line.',
      },
    },
  },
  type: 'Type',
  name: 'Name',
  value: 'Value',
  priority: 'Priority',
  validate: 'Validate',
  validated: 'All records are in place.',
  not_yet: 'Some records are not in place yet. See what was found for each.',
  email: 'Send by email',
  email_about: 'Sends the records to the person who manages the DNS.',
  address: 'Address',
  emailed: 'The records are on their way.',
  snippets: 'Zone snippets',
  snippet_about: 'The same records, to paste or import.',
  bind: 'BIND',
  cloudflare: 'Cloudflare',
  route53: 'Route 53',
  rotate: 'Rotate DKIM keys',
  rotate_about:
    'The other key signs from the next mail on. Mail that is already signed stays valid, and your DNS does not change.',
  rotated: 'The other key signs from now on.',
  revoke: 'Revoke domain',
  revoke_about: (domain: string) =>
    `Senders on ${domain} cannot send until the domain is reinstated and validated.`,
  revoked: 'The domain is revoked.',
  reinstate: 'Reinstate domain',
  reinstated: 'The domain is reinstated. Check its records now.',
  by_operator: 'The operator of the platform revoked this name. Only they can reinstate it.',
  remove: 'Delete domain',
  remove_about: (domain: string, senders: number) =>
    `${domain} and its DKIM keys are deleted. ${counted(senders, 'sender stops sending.', 'senders stop sending.')} Records in your DNS stay until you remove them.`,
  removed: 'The domain is deleted.',
  dmarc_reports: 'DMARC reports',
  dmarc_about: 'What receivers saw of mail that claims to come from this domain, in the last 30 days.',
  no_reports: 'No reports yet. Receivers send them daily when the DMARC record is in place.',
  source: 'Source',
  messages: 'Messages',
  passed: 'Passed',
  failed: 'Failed',
  aligned: 'DKIM / SPF aligned',
  by_source: 'Messages by source',
  facts: 'Details',
  added: 'Added',
  checked: 'Last checked',
  never: 'never',
  selector: 'DKIM selector',
  senders: 'Senders',
  any_sender: 'Other addresses',
  any_sender_about:
    'Lets addresses of this domain send without being registered as senders, such as one for each colleague.',
  any_sender_needs:
    'Lets addresses of this domain send without being registered as senders. Verify the domain and create one sender on it first.',
  to_senders: 'Go to senders',
  any_sender_switch: 'Any address may send',
  any_sender_saved: 'Saved.',
  default_sender: 'Default sender',
  default_sender_about: 'Addresses that are not registered send with its stream, tracking and consent.',
  no_default_sender: 'None',
  letters: 'Mail to postmaster',
  letters_about: 'What people write to postmaster@ and abuse@ at this domain.',
  no_letters: 'No messages yet.',
  sandbox_about: 'This domain is for tests. Its mail reaches only the sandbox, and it needs no DNS records.',
};

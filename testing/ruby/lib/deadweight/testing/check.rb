# frozen_string_literal: true

require 'json'
require 'open3'

module Deadweight
  module Testing
    # `deadweight check`, and a message that says what it says.
    module Check
      class << self
        def program
          ENV.fetch('DEADWEIGHT', 'deadweight')
        end

        # What is broken, and the figures.
        def run(directory, budget, paths)
          config = File.join(directory, 'deadweight.toml')
          File.write(config, budget, perm: 0o600)
          # The recorder of this process is not for that one.
          env = { 'RUBYOPT' => nil }
          out, errors, status = Open3.capture3(env, program, '--quiet', 'check', '--config', config, '--format', 'json', *paths)
          raise "deadweight could not check: #{(errors.empty? ? out : errors).strip}" unless [0, 1].include?(status.exitstatus)

          JSON.parse(out)
        rescue Errno::ENOENT
          raise "deadweight could not be started: #{program} (install it, or set DEADWEIGHT to where it is)"
        end

        # The lines of a failed assertion; nil when all limits hold.
        def failure(what, checked)
          broken = checked['broken']
          return nil if broken.empty?

          seen = {}
          lines = broken.flat_map do |each|
            finding = each['finding']
            known = finding && seen[finding['fingerprint']]
            seen[finding['fingerprint']] = true if finding
            ["  #{headline(each)}", *(known ? ["    #{finding['rule']} at #{place(finding)}, as above"] : describe(finding))]
          end
          limits = broken.size == 1 ? 'a limit' : "#{broken.size} limits"
          ["#{what} breaks #{limits}", *lines].join("\n")
        end

        private

        def headline(each)
          kind, what = each['what'].first
          of = what['of']
          case kind
          when 'bytes' then "#{of}: #{size(what['found'])} (#{what['found']} bytes), more than #{size(what['most'])}"
          when 'share' then "#{of}: #{percent(what['found'])}, more than #{percent(what['most'])}"
          when 'new' then "#{each['finding']['rule']} is not allowed here: #{size(what['saves'])} of dead weight"
          else "#{of}: not measurable: #{what['why']}"
          end
        end

        def describe(finding)
          return [] if finding.nil?

          objects = finding['count'].positive? ? "#{finding['count']} objects; " : ''
          [
            "    #{finding['rule']} at #{place(finding)}: #{finding['title']}",
            "      #{objects}the fix saves #{size(finding['saves'])}",
            "      fix: #{finding['fix']}"
          ]
        end

        def place(finding)
          site = finding['site'] && "(#{finding['site']})"
          [finding['holder'], site].compact.reject(&:empty?).join(' ')
        end

        def size(bytes)
          return "#{bytes} B" if bytes < 1000

          bytes < 1_000_000 ? format('%.1f kB', bytes / 1e3) : format('%.1f MB', bytes / 1e6)
        end

        def percent(share)
          format('%.1f %%', share * 100)
        end
      end
    end
  end
end

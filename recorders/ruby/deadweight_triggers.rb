# frozen_string_literal: true

module Deadweight
  # When a capture is taken. Nothing is done between here and the first trigger, but for the poll of a threshold.
  module Triggers
    class << self
      def arm(settings)
        return if settings.nil?

        @taken = 0
        @last = nil
        @busy = false
        Capture.begin
        Capture.remember if settings.snapshot
        settings.signals.each { |name| Signal.trap(name) { take(settings, 'signal', name) } }
        watch(settings) unless settings.thresholds.empty?
        at_exit { Files.note(settings.journal, "peak #{Capture.peak}") }
        at_exit { Curve.finish }
        Curve.start(settings) { take_highest(settings) }
        return if settings.highest == 'measure'

        # The first to be registered is the last to run: what the program does at its end is done.
        at_exit { take(settings, 'exit', 'exit') if @last.nil? } if settings.exit
        record(settings)
        # The dump then has the line that made each object.
        Sites.start if settings.sites && settings.snapshot
        take(settings, 'signal', settings.signals.first) if settings.signals.any? && EARLY.any?
      end

      private

      def record(settings)
        Churn.start(settings)
      rescue Exception => error # rubocop:disable Lint/RescueException -- the program goes on
        Deadweight.fail('what the program makes is not recorded', error)
      end

      def take(settings, reason, trigger)
        return if @busy

        @busy = true
        Capture.take(settings, @taken += 1, reason, trigger)
      rescue Exception => error # rubocop:disable Lint/RescueException -- the program goes on
        Deadweight.fail('no capture was written', error)
      ensure
        @busy = false
      end

      # On the way up the last one is the highest.
      def take_highest(settings)
        before = @last
        @last = take(settings, 'peak', 'peak') || before
        Files.remove(before) if before && !before.equal?(@last)
      end

      # Each threshold fires once.
      def watch(settings)
        waiting = settings.thresholds.dup
        highest = Hash.new(0)
        at_exit { look(settings, waiting, highest) }
        thread = Thread.new do
          until waiting.empty?
            sleep settings.poll
            look(settings, waiting, highest)
            due = waiting.select { |measure, bytes| highest[measure] > bytes.to_i }
            next if due.empty?

            waiting -= due
            take(settings, 'threshold', due.map { |measure, bytes| "#{measure}>#{bytes}" }.join(','))
          end
        end
        thread.report_on_exception = false
      end

      # Tells who started the program how high each measure has come, for the case that no threshold is reached.
      def look(settings, waiting, highest)
        waiting.each do |measure, _|
          now = measured(measure)
          next if now <= highest[measure]

          highest[measure] = now
          Files.note(settings.journal, "#{measure} #{now}")
        end
      end

      def measured(measure)
        case measure
        when 'rss' then File.read('/proc/self/statm').split[1].to_i * 4096
        when 'heap' then GC.stat(:heap_live_slots) * 40 + GC.stat(:malloc_increase_bytes)
        else 0
        end
      end
    end
  end
end

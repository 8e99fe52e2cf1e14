require "socket"

module Bincache
  # A socket that stays registered with the event loop between answers.
  #
  # Crystal 1.6 registers a socket each time a fiber waits for it, and takes it out again when it was woken: two calls
  # of `epoll_ctl` for each answer that is not there at once. Here the kernel tells of changes only (edge triggered), and
  # one registration serves all answers. Other fibers run while this one waits, as with any socket.
  #
  # Nothing is missed: `IO::Evented` waits only after a read or a write that found nothing to do, so whatever comes
  # later is a change. One fiber reads at a time, as a client is used.
  #
  # This rests on methods of Crystal that are not documented: other versions get a socket as it is.
  class Connection < TCPSocket
    {% if Crystal::VERSION.starts_with?("1.6.") && !flag?(:preview_mt) && !flag?(:win32) %}
      # A registration that stays goes on counting its timeout. When nobody waits, that is no timeout of anybody: the
      # registration is given up until the next wait, so that a connection at rest wakes nobody.
      def resume_read(timed_out = false) : Nil
        if timed_out && !waited_for?
          @read_event.get?.try(&.delete)
        else
          super
        end
      end

      # Writers wait seldom. Theirs is given up at once: who can write is told of each answer too.
      def wait_writable(timeout = @write_timeout, &) : Nil
        super { yield }
      ensure
        @write_event.get?.try(&.delete) unless closed?
      end

      private def waited_for?
        readers = @readers.get?
        !readers.nil? && !readers.empty?
      end

      private def add_read_event(timeout = @read_timeout) : Nil
        event = @read_event.get { Crystal::EventLoop.create_fd_read_event(self, edge_triggered: true) }
        event.add timeout
      end

      # The event loop does not take both kinds for one socket.
      private def add_write_event(timeout = @write_timeout) : Nil
        event = @write_event.get { Crystal::EventLoop.create_fd_write_event(self, edge_triggered: true) }
        event.add timeout
      end
    {% end %}
  end
end
